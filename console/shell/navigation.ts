import { Bell, Boxes, CreditCard, FolderClosed, House, type LucideIcon, Server } from 'lucide-react'
import { isLocked } from '../areas/workspaces/workspace-plan.ts'
import { useWorkspace } from '../areas/workspaces/queries.ts'
import { paths } from '../paths.ts'

interface Destination {
  label: string
  to: string
  icon: LucideIcon
  key: string
}

const destinations: readonly Destination[] = [
  { label: 'Home', to: paths.home, icon: House, key: 'h' },
  { label: 'Projects', to: paths.projects, icon: FolderClosed, key: 'p' },
  { label: 'Servers', to: paths.servers, icon: Server, key: 's' },
  { label: 'Applications', to: paths.applications, icon: Boxes, key: 'a' },
  { label: 'Alerts', to: paths.notifications, icon: Bell, key: 'n' },
]

const toPlan: readonly Destination[] = [
  { label: 'Choose a plan', to: paths.choosePlan, icon: CreditCard, key: 'b' },
]

/** Returns the main navigation. Without a plan, only plan selection is in it. */
export function useDestinations() {
  const locked = isLocked(useWorkspace())
  return { destinations: locked ? toPlan : destinations, locked }
}
