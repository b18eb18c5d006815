import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { root } from './root.ts'

const read: unknown = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))

export const { version } = z.object({ version: z.string() }).parse(read)
