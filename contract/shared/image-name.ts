/**
 * A Docker image reference: registry, repository, tag or digest. The first part is a registry only if it has a dot or a port
 * or is localhost. Without zod, so that the console can import it.
 */
export const imageNamePattern =
  /^(?:(?=[^/]*[.:]|localhost\/)[a-zA-Z0-9](?:[a-zA-Z0-9.-]*[a-zA-Z0-9])?(?::\d{1,5})?\/)?[a-z0-9]+(?:(?:\.|_{1,2}|-+)[a-z0-9]+)*(?:\/[a-z0-9]+(?:(?:\.|_{1,2}|-+)[a-z0-9]+)*)*(?::[\w][\w.-]{0,127})?(?:@sha256:[0-9a-f]{64})?$/

export const notAnImageName = 'Must be an image name, such as nginx:1.27 or ghcr.io/owner/name:2.0.'

/** Maximum characters. */
export const maxImageNameLength = 300
