import { PackageX } from 'lucide-react'
import { paths } from '../paths.ts'
import { Missing } from './missing.tsx'

interface ApplicationMissingProps {
  title: string
  query: { error: Error | null; refetch: () => Promise<unknown> }
}

export function ApplicationMissing({ title, query: { error, refetch } }: ApplicationMissingProps) {
  return (
    <Missing title={title} parents={parents} error={error} onRetry={() => void refetch()} words={words} />
  )
}

const parents = [{ label: 'Applications', to: paths.applications }]
const words = {
  icon: PackageX,
  gone: 'There is no such application here',
  why: 'It was deleted, or it belongs to another workspace.',
  others: { to: paths.applications, label: 'All applications' },
  failed: 'The application could not be loaded',
}
