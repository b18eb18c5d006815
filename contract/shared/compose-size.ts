/** Characters; ten times the size of large projects. Without zod, so that the console can import it. */
export const maxComposeLength = 200_000
