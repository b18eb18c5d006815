import { type DetectedBuild, joinLines, type FileTree } from './file-tree.ts'

export const webPort = 80

const folders = ['', 'public', 'dist', 'site', 'www', 'docs']

export async function detectStaticSite({ paths }: FileTree): Promise<DetectedBuild | undefined> {
  const folder = folders.find((candidate) =>
    paths.includes(candidate === '' ? 'index.html' : `${candidate}/index.html`),
  )
  if (folder === undefined) return undefined
  return {
    language: 'static',
    summary: `Static site with ${folder ? `${folder}/` : ''}index.html, served on port ${webPort}.`,
    dockerfile: joinLines(serveFiles(folder || '.')),
    port: webPort,
  }
}

/** Unknown paths serve index.html for single-page applications. */
export const serveFiles = (from: string) =>
  joinLines(
    'FROM nginx:stable-alpine',
    `RUN printf 'server {\\n  listen ${webPort};\\n  root /usr/share/nginx/html;\\n  location / { try_files $uri $uri/ $uri.html /index.html; }\\n}\\n' > /etc/nginx/conf.d/default.conf`,
    `COPY ${from} /usr/share/nginx/html`,
    `EXPOSE ${webPort}`,
  ).trimEnd()
