import { FolderX } from 'lucide-react'
import { paths } from '../paths.ts'
import { Missing } from './missing.tsx'

interface ProjectMissingProps {
  title: string
  query: { error: Error | null; refetch: () => Promise<unknown> }
}

export function ProjectMissing({ title, query: { error, refetch } }: ProjectMissingProps) {
  return (
    <Missing title={title} parents={parents} error={error} onRetry={() => void refetch()} words={words} />
  )
}

const parents = [{ label: 'Projects', to: paths.projects }]
const words = {
  icon: FolderX,
  gone: 'There is no such project here',
  why: 'It was deleted, or it belongs to another workspace.',
  others: { to: paths.projects, label: 'All projects' },
  failed: 'The project could not be loaded',
}
