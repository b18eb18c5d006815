import type { PackageJson } from './node.ts'
import { type FileTree, parseVersion } from './file-tree.ts'

export interface PackageManager {
  name: 'npm' | 'pnpm' | 'yarn' | 'bun'
  image: (node: string) => string
  user: string
  lock: string | undefined
  prepare: string | undefined
  env?: string | undefined
  install: string
  prune: string | undefined
}

const nodeImage = (version: string) => `node:${version}-slim`

export async function detectPackageManager(
  tree: FileTree,
  { packageManager }: PackageJson,
): Promise<PackageManager> {
  const lock = locks.find(([file]) => tree.paths.includes(file))
  const [name, version] = packageManager?.split('@', 2) ?? []
  const named = name !== undefined && isManager(name) ? name : undefined
  const chosen = named ?? lock?.[1] ?? 'npm'
  const file = lock?.[1] === chosen ? lock[0] : undefined
  return managers[chosen](tree, file, named ? parseVersion(version, 3) : undefined)
}

const locks: [string, PackageManager['name']][] = [
  ['pnpm-lock.yaml', 'pnpm'],
  ['yarn.lock', 'yarn'],
  ['bun.lock', 'bun'],
  ['bun.lockb', 'bun'],
  ['package-lock.json', 'npm'],
  ['npm-shrinkwrap.json', 'npm'],
]

const isManager = (name: string): name is PackageManager['name'] => Object.hasOwn(managers, name)

type PackageManagerFactory = (
  tree: FileTree,
  lock: string | undefined,
  version: string | undefined,
) => Promise<PackageManager>

const managers: Record<PackageManager['name'], PackageManagerFactory> = {
  npm: async (_, lock) => ({
    name: 'npm',
    image: nodeImage,
    user: 'node',
    lock,
    prepare: undefined,
    install: lock ? 'npm ci' : 'npm install',
    prune: 'npm prune --omit=dev',
  }),
  pnpm: async ({ read }, lock, version) => ({
    name: 'pnpm',
    image: nodeImage,
    user: 'node',
    lock,
    prepare: `npm install --global pnpm@${version ?? pnpmFor(lock && (await read(lock)))}`,
    install: lock ? 'pnpm install --frozen-lockfile' : 'pnpm install',
    // CI=1 avoids a prompt. It is not set for the build, where some tools treat warnings as errors.
    prune: 'CI=1 pnpm prune --prod',
  }),
  yarn: async ({ read }, lock, version) => {
    const isModern = version
      ? !version.startsWith('1.')
      : ((lock && (await read(lock))) || '').includes('__metadata:')
    // Some images include Yarn; --force replaces it.
    const from = isModern ? '@yarnpkg/cli-dist' : 'yarn'
    return {
      name: 'yarn',
      image: nodeImage,
      user: 'node',
      lock,
      prepare: `npm install --global --force ${from}@${version ?? (isModern ? '4' : '1')}`,
      // Plug'n'Play has no node_modules, so Yarn must start the program.
      env: isModern ? 'YARN_NODE_LINKER=node-modules' : undefined,
      // A newer Yarn keeps the locked versions but rewrites the lock file.
      install: !isModern
        ? `yarn install${lock ? ' --frozen-lockfile' : ''}`
        : `yarn install ${lock && version ? '--immutable' : '--no-immutable'}`,
      prune: isModern ? undefined : 'yarn install --production --ignore-scripts --prefer-offline',
    }
  },
  bun: async (_, lock, version) => ({
    name: 'bun',
    image: () => `oven/bun:${version ?? '1'}-slim`,
    user: 'bun',
    lock,
    prepare: undefined,
    install: lock ? 'bun install --frozen-lockfile' : 'bun install',
    prune: undefined,
  }),
}

/** Each lock file format is supported by some pnpm versions only. */
const pnpmFor = (lock: string | undefined) => (/^lockfileVersion: ['"]?[56]/m.test(lock ?? '') ? '8' : '9')
