import { Bell, Boxes, FolderClosed, House, type LucideIcon, Server } from 'lucide-react'
import { paths } from '../paths.ts'

export interface Destination {
  label: string
  to: string
  icon: LucideIcon
  /** Typed after `g`. */
  key: string
}

export const destinations: readonly Destination[] = [
  { label: 'Home', to: paths.home, icon: House, key: 'h' },
  { label: 'Projects', to: paths.projects, icon: FolderClosed, key: 'p' },
  { label: 'Servers', to: paths.servers, icon: Server, key: 's' },
  { label: 'Applications', to: paths.applications, icon: Boxes, key: 'a' },
  { label: 'Alerts', to: paths.notifications, icon: Bell, key: 'n' },
]
