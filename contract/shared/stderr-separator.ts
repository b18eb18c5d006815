/** Precedes stderr where both streams are one text. */
export const stderrSeparator = '--- stderr ---'
