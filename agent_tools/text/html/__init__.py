"""From an untrusted page to Markdown: bound, parse, build a small tree, choose its content, write it down."""
