"""Runs calls: one module a stage, one order for every door. `run.run_calls` is the composition.

1.  `prepare`: find the tool, read the arguments, validate them against the narrowed schema.
2.  `duplicates`: a call that already gave the same result twice in this turn is not run again.
3.  `record.open_rows`, `telling`: one row a call, `running`, all in one query; then it is announced.
4.  `permissions`: operators' rules, grants and the tool itself judge the arguments as they were sent; a deny ends it.
5.  `hooks.before`: each app may block, change the arguments, demand a permission, add a text.
6.  `validation.validate_again`, `permissions` again on the final arguments, the stricter word counting; then `asking`,
    where that word is `ask`: call by call in their order and before anything of the batch runs, so that a decision
    never waits behind another call's work, and "always" spares the next question.
7.  `partition`: neighbours that are safe together form a group, any other call is alone.
8.  `batch` runs a group, `single` a call: its time, a stop, a failed sibling (`ending`), progress.
9.  `hooks.after`: for calls that ran, change the output, add a text, observe.
10. `scrub`: the one gate; whatever leaves is safe to store and holds none of the tool's secrets.
11. `overflow`: output too long for the model is kept whole, the model gets its beginning and end.
12. `record.close_row`, `telling`: the row gets its terminal state on every path.

A call that has a result passes over what is left before step 9. Steps 9 to 12 follow as soon as a call has ended; the
outcomes go back together, in the order of the calls.
"""
