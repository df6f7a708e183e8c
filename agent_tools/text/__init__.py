"""Text from outside made readable: decoding, HTML to Markdown, trimming, scrubbing."""
