import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { z } from 'zod'

/** The package folder, found from the sources and from dist. */
export const root = find(dirname(fileURLToPath(import.meta.url)))

function find(folder: string): string {
  return existsSync(join(folder, 'package.json')) ? folder : find(dirname(folder))
}

const read: unknown = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))

export const { version } = z.object({ version: z.string() }).parse(read)
