/** Maximum characters of a template.yaml. Without zod, so that the console can import it. */
export const maxTemplateLength = 100_000
