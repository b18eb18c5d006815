import { type DetectedBuild, joinLines, cmdInstruction, type FileTree, parseVersion } from './file-tree.ts'

const port = 8080

export async function detectGo({ paths, read }: FileTree): Promise<DetectedBuild | undefined> {
  const module = await read('go.mod')
  if (module === undefined) return undefined
  const main = await findMain({ paths, read })
  if (main === undefined) return undefined
  const version = parseVersion(/^go[ \t]+([\d.]+)/m.exec(module)?.[1], 2) ?? '1'
  const first = ['go.mod', paths.includes('go.sum') && 'go.sum'].filter(Boolean)
  const needsAll =
    /=>[ \t]*\.{1,2}\//.test(module) || ['go.work', 'vendor/modules.txt'].some((file) => paths.includes(file))
  return {
    language: 'go',
    summary: `Go program (go.mod), built from ${main}, listening on port ${port}.`,
    dockerfile: joinLines(
      `FROM golang:${version} AS build`,
      'WORKDIR /src',
      !needsAll && `COPY ${first.join(' ')} ./`,
      !needsAll && 'RUN go mod download',
      'COPY . .',
      `RUN CGO_ENABLED=0 go build -trimpath -o /out/app ${main}`,
      '',
      'FROM alpine:3',
      'COPY --from=build /etc/ssl/certs/ca-certificates.crt /etc/ssl/certs/',
      'COPY --from=build /out/app /app',
      `ENV PORT=${port}`,
      'USER nobody',
      `EXPOSE ${port}`,
      cmdInstruction('/app'),
    ),
    port,
  }
}

/** Finds the main package at the root or below cmd; of several, the one that is named like a server. */
async function findMain({ paths, read }: FileTree): Promise<string | undefined> {
  const top = paths.filter((path) => /^[^/]+\.go$/.test(path) && !path.endsWith('_test.go'))
  for (const path of top) if (/^package main\b/m.test((await read(path)) ?? '')) return '.'
  const commands = [...new Set(paths.flatMap((path) => /^cmd\/([\w.-]+)\/[^/]+\.go$/.exec(path)?.[1] ?? []))]
  const chosen =
    commands.length === 1
      ? commands[0]
      : commands.find((name) => ['server', 'api', 'web', 'app'].includes(name))
  return chosen === undefined ? undefined : `./cmd/${chosen}`
}
