import { PageHeader } from '../ui/page-header.tsx'

export function WorkspacePage() {
  return <PageHeader title="Workspace" />
}
