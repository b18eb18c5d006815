/** Stands before what was written to stderr, where both are one text. */
export const stderrSeparator = '--- stderr ---'
