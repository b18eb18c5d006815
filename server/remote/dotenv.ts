/** Formats pairs so that Docker Compose reads back exactly these values. */
export const formatDotenv = (pairs: readonly { key: string; value: string }[]): string =>
  pairs.map(({ key, value }) => `${key}=${quoted(value)}\n`).join('')

/** Single quotes are literal; values that contain one are escaped in double quotes. */
const quoted = (value: string) =>
  /['\n\r\\]/.test(value)
    ? `"${value
        .replace(/[\\"$]/g, String.raw`\$&`)
        .replaceAll('\n', String.raw`\n`)
        .replaceAll('\r', String.raw`\r`)}"`
    : `'${value}'`
