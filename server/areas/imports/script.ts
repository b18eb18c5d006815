import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { quote } from '../../remote/command.ts'
import { root } from '../../root.ts'

/** The script for one token: what differs is set first, each in quotes; the rest is always the same. */
export async function scriptFor(given: { url: string; token: string; publicKey: string }): Promise<string> {
  const constant = await readFile(join(root, 'server/areas/imports/import.sh'), 'utf8')
  return `#!/bin/sh
slipway_url=${quote([given.url])}
slipway_token=${quote([given.token])}
slipway_key=${quote([given.publicKey])}

${constant}`
}
