/** Shortens a digest or Docker ID to 12 characters, as Docker does. */
export const shortDigest = (digest: string) => digest.replace(/^sha256:/, '').slice(0, 12)
