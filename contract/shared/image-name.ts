/**
 * A name as Docker takes it: registry, repository, tag or digest. What comes first is a registry only with a dot or a port,
 * or when it is localhost; else it belongs to the repository, which has no capitals. No schema here: the console reads it too.
 */
export const imageNamePattern =
  /^(?:(?=[^/]*[.:]|localhost\/)[a-zA-Z0-9](?:[a-zA-Z0-9.-]*[a-zA-Z0-9])?(?::\d{1,5})?\/)?[a-z0-9]+(?:(?:\.|_{1,2}|-+)[a-z0-9]+)*(?:\/[a-z0-9]+(?:(?:\.|_{1,2}|-+)[a-z0-9]+)*)*(?::[\w][\w.-]{0,127})?(?:@sha256:[0-9a-f]{64})?$/

export const notAnImageName = 'Must be the name of an image, such as nginx:1.27 or ghcr.io/owner/name:2.0.'

/** Characters. */
export const longestImageName = 300
