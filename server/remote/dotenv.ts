/** Pairs as the text of a `.env` that Docker Compose reads back as just these values, whatever is in them. */
export const formatDotenv = (pairs: readonly { key: string; value: string }[]): string =>
  pairs.map(({ key, value }) => `${key}=${quoted(value)}\n`).join('')

/** What stands in single quotes is taken as it is; what cannot is escaped in double ones. */
const quoted = (value: string) =>
  /['\n\r\\]/.test(value)
    ? `"${value
        .replace(/[\\"$]/g, String.raw`\$&`)
        .replaceAll('\n', String.raw`\n`)
        .replaceAll('\r', String.raw`\r`)}"`
    : `'${value}'`
