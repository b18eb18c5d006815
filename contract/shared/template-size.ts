/** Characters of a template.yaml. No schema here: the console reads it too. */
export const maxTemplateLength = 100_000
