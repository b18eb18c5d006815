import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import type { Id } from '../../../contract/shared/ids.ts'
import { root } from '../../root.ts'
import { checkTemplateInWorker } from './template-worker.ts'
import type { ParsedTemplate, TemplateFiles } from './check-template.ts'

export interface BuiltinTemplate extends ParsedTemplate {
  id: Id<'template'>
  files: TemplateFiles
}

/** The catalog is read once, because the built-in templates change only with the version. */
let catalog: Promise<ReadonlyMap<string, BuiltinTemplate>> | undefined

export function readCatalog(): Promise<ReadonlyMap<string, BuiltinTemplate>> {
  catalog ??= readAll().catch((error: unknown) => {
    catalog = undefined
    throw error
  })
  return catalog
}

async function readAll(): Promise<ReadonlyMap<string, BuiltinTemplate>> {
  const known = new Map<string, BuiltinTemplate>()
  for (const [slug, files] of await readTemplateFolder(join(root, 'templates'))) {
    const { template } = await checkTemplateInWorker('catalog', files)
    const id: Id<'template'> = `tpl_${slug}`
    if (template) known.set(id, { ...template, id, files })
    // Let other requests proceed between two templates.
    await setImmediate()
  }
  return known
}

export async function readTemplateFolder(folder: string): Promise<Map<string, TemplateFiles>> {
  const entries = await readdir(folder, { withFileTypes: true })
  const names = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name)
  const read = names.toSorted().map(async (name): Promise<[string, TemplateFiles]> => {
    const [template, compose] = await Promise.all(
      ['template.yaml', 'compose.yaml'].map((file) => readFile(join(folder, name, file), 'utf8')),
    )
    return [name, { template: template ?? '', compose: compose ?? '' }]
  })
  return new Map(await Promise.all(read))
}
