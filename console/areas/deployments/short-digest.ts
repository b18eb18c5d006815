/** As much of a digest or an id of Docker as tells it from others. */
export const shortDigest = (digest: string) => digest.replace(/^sha256:/, '').slice(0, 12)
