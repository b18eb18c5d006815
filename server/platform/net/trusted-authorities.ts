import { readFile } from 'node:fs/promises'
import { rootCertificates } from 'node:tls'

/** The system's root certificates and that of a private authority; undefined without one, for the default. */
export const readTrustedAuthorities = async (config: { ACME_CA_FILE?: string | undefined }) =>
  config.ACME_CA_FILE ? [...rootCertificates, await readFile(config.ACME_CA_FILE, 'utf8')] : undefined
