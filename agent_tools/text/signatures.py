"""What the first bytes of a file give away, and what people call its type."""

from __future__ import annotations

# First bytes that no text begins with → media type.
_CERTAIN = (
    (b"%PDF-", "application/pdf"),
    (b"\x89PNG\r\n\x1a\n", "image/png"),
    (b"\xff\xd8\xff", "image/jpeg"),
    (b"GIF87a", "image/gif"),
    (b"GIF89a", "image/gif"),
    (b"PK\x03\x04", "application/zip"),
    (b"PK\x05\x06", "application/zip"),
    (b"\x1f\x8b", "application/gzip"),
    (b"\xfd7zXZ\x00", "application/x-xz"),
    (b"\x28\xb5\x2f\xfd", "application/zstd"),
    (b"7z\xbc\xaf\x27\x1c", "application/x-7z-compressed"),
    (b"Rar!\x1a\x07", "application/vnd.rar"),
    (b"\x7fELF", "application/x-executable"),
    (b"\x00asm", "application/wasm"),
    (b"\xca\xfe\xba\xbe", "application/java-vm"),
    (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "application/x-ole-storage"),
    (b"{\\rtf", "application/rtf"),
    (b"SQLite format 3\x00", "application/vnd.sqlite3"),
    (b"\x89HDF\r\n\x1a\n", "application/x-hdf5"),
    (b"\x93NUMPY", "application/x-npy"),
    (b"SIMPLE  =                    T", "application/fits"),
    (b"OggS\x00", "audio/ogg"),
    (b"fLaC\x00", "audio/flac"),
    (b"\xff\xfb", "audio/mpeg"),
    (b"\x1aE\xdf\xa3", "video/webm"),
    (b"wOFF\x00\x01\x00\x00", "font/woff"),
    (b"wOF2", "font/woff2"),
    (b"OTTO\x00", "font/otf"),
    (b"\x00\x01\x00\x00", "font/ttf"),
    (b"\x00\x00\x01\x00", "image/x-icon"),
    (b"II*\x00", "image/tiff"),
    (b"MM\x00*", "image/tiff"),
    (b"AT&TFORM", "image/vnd.djvu"),
)
# First bytes that a text may begin with too: they count among control characters only.
_LIKELY = (
    (b"BM", "image/bmp"),
    (b"8BPS", "image/vnd.adobe.photoshop"),
    (b"BZh", "application/x-bzip2"),
    (b"ID3", "audio/mpeg"),
    (b"MZ", "application/x-msdownload"),
    (b"PAR1", "application/vnd.apache.parquet"),
)
_RIFF = {b"WEBP": "image/webp", b"WAVE": "audio/wav", b"AVI ": "video/x-msvideo"}
_FTYP = {
    b"avif": "image/avif",
    b"heic": "image/heic",
    b"mif1": "image/heif",
    b"M4A ": "audio/mp4",
    b"qt  ": "video/quicktime",
}
_ZIPPED = (
    (b"word/", "application/vnd.openxmlformats-officedocument.wordprocessingml.document"),
    (b"xl/", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"),
    (b"ppt/", "application/vnd.openxmlformats-officedocument.presentationml.presentation"),
    (b"mimetypeapplication/epub+zip", "application/epub+zip"),
    (b"mimetypeapplication/vnd.oasis.opendocument.text", "application/vnd.oasis.opendocument.text"),
    (b"META-INF/MANIFEST.MF", "application/java-archive"),
)
_ZIP_HEAD = 4096

_LABELS = {
    "application/pdf": "PDF document",
    "application/rtf": "RTF document",
    "text/rtf": "RTF document",
    "application/msword": "Word document",
    "application/vnd.openxmlformats-officedocument.wordprocessingml.document": "Word document",
    "application/vnd.ms-excel": "Excel workbook",
    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": "Excel workbook",
    "application/vnd.ms-powerpoint": "PowerPoint presentation",
    "application/vnd.openxmlformats-officedocument.presentationml.presentation": "PowerPoint presentation",
    "application/vnd.oasis.opendocument.text": "OpenDocument text",
    "application/x-ole-storage": "Microsoft Office document (old format)",
    "application/epub+zip": "EPUB book",
    "image/vnd.djvu": "DjVu document",
    "application/postscript": "PostScript document",
    "application/java-archive": "Java archive",
    "application/vnd.rar": "RAR archive",
    "application/x-7z-compressed": "7z archive",
    "application/x-tar": "tar archive",
    "application/x-executable": "executable program",
    "application/x-msdownload": "Windows program",
    "application/java-vm": "Java class",
    "application/wasm": "WebAssembly module",
    "application/vnd.sqlite3": "SQLite database",
    "application/x-hdf5": "HDF5 data",
    "application/x-npy": "NumPy array",
    "application/fits": "FITS data",
    "image/fits": "FITS data",
    "application/vnd.apache.parquet": "Parquet data",
    "audio/mpeg": "MP3 audio",
    "image/x-icon": "icon",
}
_ARCHIVES = {"zip", "gzip", "x-gzip", "x-xz", "zstd", "x-bzip2"}
_FAMILIES = {"image": "image", "audio": "audio", "video": "video", "font": "font"}


def media_type_of(body: bytes, *, controls: bool) -> str | None:
    """Return the media type that a body's first bytes prove, None when they prove none.

    `controls` says that the body holds control characters, which makes weaker signatures count.
    """
    for signature, media_type in (*_CERTAIN, *(_LIKELY if controls else ())):
        if body.startswith(signature):
            return _inside_zip(body) if media_type == "application/zip" else media_type
    if body.startswith(b"RIFF"):
        return _RIFF.get(body[8:12])
    if body[4:8] == b"ftyp":
        return _FTYP.get(body[8:12], "video/mp4")
    return "application/x-tar" if body[257:262] == b"ustar" else None


def is_named(media_type: str) -> bool:
    """Tell whether a media type is known to hold no text."""
    return media_type in _LABELS or media_type.partition("/")[2] in _ARCHIVES


def label_of(media_type: str) -> str:
    """Return what people call a media type ("PNG image"); the type itself where there is no such name."""
    if media_type in _LABELS:
        return _LABELS[media_type]
    family, _, subtype = media_type.partition("/")
    if subtype in _ARCHIVES:
        return f"{subtype.removeprefix('x-')} archive"
    if family in _FAMILIES and subtype:
        return f"{subtype.removeprefix('x-').removeprefix('vnd.').split('+', 1)[0].upper()} {_FAMILIES[family]}"
    return f"binary data ({media_type})" if subtype and media_type != "application/octet-stream" else "binary data"


def _inside_zip(body: bytes) -> str:
    head = body[:_ZIP_HEAD]
    return next((media_type for name, media_type in _ZIPPED if name in head), "application/zip")
