import { ServerOff } from 'lucide-react'
import { paths } from '../../paths.ts'
import { ResourceFallback } from '../page-fallback.tsx'

interface ServerMissingProps {
  title: string
  query: { error: Error | null; refetch: () => Promise<unknown> }
}

export const ServerFallback = ({ title, query: { error, refetch } }: ServerMissingProps) => (
  <ResourceFallback
    title={title}
    parents={parents}
    error={error}
    onRetry={() => void refetch()}
    words={words}
  />
)

const parents = [{ label: 'Servers', to: paths.servers }]
const words = {
  icon: ServerOff,
  gone: 'Server not found',
  why: 'It was deleted, or it belongs to another workspace.',
  others: { to: paths.servers, label: 'All servers' },
  failed: 'The server could not be loaded',
}
