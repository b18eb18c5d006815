import type { ComponentProps } from 'react'
import { paths } from '../../paths.ts'
import { ResourceFallback } from '../page-fallback.tsx'

type ServerFallbackProps = Pick<ComponentProps<typeof ResourceFallback>, 'title' | 'query'>

export const ServerFallback = (props: ServerFallbackProps) => (
  <ResourceFallback {...props} parents={parents} words={words} />
)

const parents = [{ label: 'Servers', to: paths.servers }]
const words = {
  gone: 'Server not found',
  why: 'The server was deleted or belongs to another workspace.',
  others: { to: paths.servers, label: 'All servers' },
  failed: 'Could not load server',
}
