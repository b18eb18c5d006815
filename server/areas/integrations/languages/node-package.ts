import { z } from 'zod'

const names = z.record(z.string(), z.unknown()).catch({})
const words = z.string().optional().catch(undefined)

/** Used fields of package.json; malformed ones are ignored. */
const schema = z.object({
  packageManager: words,
  main: words,
  engines: z.object({ node: words }).catch({ node: undefined }).default({ node: undefined }),
  scripts: z.record(z.string(), z.string().catch('')).catch({}).default({}),
  dependencies: names.default({}),
  devDependencies: names.default({}),
  workspaces: z.unknown().optional(),
})

export type PackageJson = z.output<typeof schema>

export function parsePackageJson(text: string): PackageJson | undefined {
  try {
    return schema.parse(JSON.parse(text))
  } catch {
    return undefined
  }
}

export const dependsOn = ({ dependencies, devDependencies }: PackageJson, name: string) =>
  Object.hasOwn(dependencies, name) || Object.hasOwn(devDependencies, name)

/** Returns whether a dependency is a local path. */
export const usesOwnFiles = ({ dependencies, devDependencies }: PackageJson) =>
  [...Object.values(dependencies), ...Object.values(devDependencies)].some(
    (wanted) =>
      typeof wanted === 'string' && /^(?:file|link|portal|workspace|patch):|^\.{0,2}\//.test(wanted),
  )
