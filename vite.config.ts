import tailwind from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { readFile, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, gzip } from 'node:zlib'
import { defineConfig, type Plugin } from 'vite'

const api = `http://127.0.0.1:${process.env['PORT'] ?? 4000}`

const shared = /^(?!.*node_modules\/(@codemirror|@lezer|@xterm|uplot)).*$/

/** What the pages before the login share with the dashboard. */
const beforeLogin =
  /\/console\/(areas\/auth\/|areas\/workspaces\/invite-token|ui\/(code|copy-button|notice|use-held-height)\.)/

const vendor = /node_modules\/(react|react-dom|scheduler|react-router|@tanstack)\//

export default defineConfig({
  root: join(import.meta.dirname, 'console'),
  plugins: [react(), tailwind(), copyFonts(), precompress()],
  build: {
    outDir: join(import.meta.dirname, 'dist/console'),
    emptyOutDir: true,
    // The content security policy allows no data: fonts or scripts, so nothing is inlined.
    assetsInlineLimit: 0,
    target: 'es2023',
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            // Packages of every page are in one file, which only changes with the dependencies.
            { name: 'vendor', test: vendor, priority: 3 },
            // Loaded with the first toast.
            { name: 'toasts', test: /node_modules\/sonner\//, priority: 3 },
            // Code of the login page is separate, so that it does not load the dashboard.
            { name: 'start', tags: ['$initial'], priority: 2 },
            { name: 'before-login', test: beforeLogin, priority: 2 },
            // A single file instead of two hundred small ones; large code that is rarely shown stays separate.
            { name: 'dashboard', minShareCount: 2, maxModuleSize: 60_000, test: shared, priority: 1 },
            // A page and its tabs together.
            ...['application', 'container', 'server', 'template', 'billing'].map((name) => ({
              name,
              test: new RegExp(`/console/pages/${name}`),
            })),
          ],
        },
      },
    },
  },
  server: { proxy: { '/v1': { target: api, ws: true }, '/docs': api } },
})

/** Copies the fonts to fixed paths for the API reference, which is no page of the bundle. */
function copyFonts(): Plugin {
  return {
    name: 'copy-fonts',
    apply: 'build',
    async generateBundle() {
      for (const font of ['inter', 'jetbrains-mono']) {
        const file = `node_modules/@fontsource-variable/${font}/files/${font}-latin-wght-normal.woff2`
        const source = await readFile(join(import.meta.dirname, file))
        this.emitFile({ type: 'asset', fileName: `fonts/${font}.woff2`, source })
      }
    },
  }
}

/** Writes .gz and .br beside each text asset, which the server sends as they are. */
function precompress(): Plugin {
  let folder = ''
  return {
    name: 'precompress',
    apply: 'build',
    configResolved({ build }) {
      folder = build.outDir
    },
    async closeBundle() {
      const files = (await readdir(folder, { recursive: true })).filter((file) =>
        /\.(js|css|html|svg)$/.test(file),
      )
      await Promise.all(files.map((file) => compress(join(folder, file))))
    },
  }
}

async function compress(path: string) {
  const plain = await readFile(path)
  await writeFile(`${path}.gz`, await promisify(gzip)(plain, { level: 9 }))
  await writeFile(`${path}.br`, await promisify(brotliCompress)(plain))
}
