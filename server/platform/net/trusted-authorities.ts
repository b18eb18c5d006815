import { readFile } from 'node:fs/promises'
import { rootCertificates } from 'node:tls'

/**
 * Returns the root certificates of Node and that of the private authority, or undefined without one, so that the
 * default applies.
 */
export const readTrustedAuthorities = async (config: { ACME_CA_FILE?: string | undefined }) =>
  config.ACME_CA_FILE ? [...rootCertificates, await readFile(config.ACME_CA_FILE, 'utf8')] : undefined
