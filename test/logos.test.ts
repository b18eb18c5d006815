import { join } from 'node:path'
import { expect, test } from 'vitest'
import { catalogBrands } from '../console/ui/brand/brands.ts'
import { templateMarks } from '../console/ui/brand/drawn-marks.ts'
import { readTemplateFolder } from '../server/areas/templates/catalog.ts'
import { readTemplate } from '../server/areas/templates/read-template.ts'
import { root } from '../server/root.ts'

test('contains exactly the logos that the catalog templates name', async () => {
  const files = [...(await readTemplateFolder(join(root, 'templates'))).values()]
  const named = new Set(files.flatMap(({ template }) => readTemplate(template).template?.logo ?? []))
  expect(files.filter(({ template }) => !readTemplate(template).template?.logo)).toEqual([])
  expect(Object.keys({ ...catalogBrands, ...templateMarks }).toSorted()).toEqual([...named].toSorted())
  for (const [slug, icon] of Object.entries(catalogBrands)) expect(icon.slug).toBe(slug)
})
