import { PackageX } from 'lucide-react'
import { serverPath } from '../paths.ts'
import type { Crumb } from '../ui/breadcrumbs.tsx'
import { Missing } from './missing.tsx'

interface ContainerMissingProps {
  serverId: string
  title: string
  parents: readonly Crumb[]
  error: Error
  onRetry: () => void
}

export const ContainerMissing = ({ serverId, ...rest }: ContainerMissingProps) => (
  <Missing
    {...rest}
    words={{
      icon: PackageX,
      gone: 'There is no such container here',
      why: 'It was removed, or it is on another server.',
      others: { to: serverPath(serverId, 'containers'), label: 'All containers' },
      failed: 'The container cannot be shown',
    }}
  />
)
