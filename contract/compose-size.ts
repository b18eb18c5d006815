/** Characters of a compose file; more than anybody writes by hand. No schema here: the console reads it too. */
export const mostCompose = 1_000_000
