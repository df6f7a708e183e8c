"""The tool types there are: one line each, type → dotted path of its executor."""

from __future__ import annotations

CATALOGUE: dict[str, str] = {
    "current_time": "agent_tools.toolbox.desk.current_time.CurrentTime",
    "fetch": "agent_tools.toolbox.web.fetch.Fetch",
    "file_edit": "agent_tools.toolbox.files.file_edit.FileEdit",
    "file_write": "agent_tools.toolbox.files.file_write.FileWrite",
    "glob_files": "agent_tools.toolbox.files.glob_files.GlobFiles",
    "grep_files": "agent_tools.toolbox.files.grep_files.GrepFiles",
    "read_file": "agent_tools.toolbox.files.read_file.ReadFile",
    "run_bash": "agent_tools.toolbox.files.run_bash.RunBash",
    "wait": "agent_tools.toolbox.desk.wait.Wait",
}
