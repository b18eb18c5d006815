/** Characters of a compose file: ten times what large projects write. No schema here: the console reads it too. */
export const maxComposeLength = 200_000
