import {
  BellPlus,
  Blocks,
  Building2,
  CreditCard,
  LayoutTemplate,
  ScrollText,
  Send,
  Settings,
  ShieldCheck,
} from 'lucide-react'
import { useUser } from '../areas/user/queries.ts'
import { useWorkspace } from '../areas/workspaces/queries.ts'
import { listSettings } from '../lib/settings-sections.ts'
import { alertsPath, paths } from '../paths.ts'
import { useDestinations } from './navigation.ts'
import { type PaletteEntry, useLinks } from './palette-entry.ts'

export function usePages(): PaletteEntry[] {
  const { destinations, locked } = useDestinations()
  const { instance_owner: isOwner } = useUser()
  const { billing, role } = useWorkspace()
  const toEntries = useLinks('Pages', true)
  const toSettings = useLinks('Settings', false)
  const main = destinations.map(({ key, ...link }) => ({ ...link, shortcut: key }))
  if (locked) return toEntries(main)
  const pages = [
    ...main,
    { label: 'Templates', to: paths.templates, icon: LayoutTemplate },
    { label: 'Workspace', to: paths.workspace, icon: Building2 },
    ...(billing ? [{ label: 'Billing', to: paths.billing, icon: CreditCard }] : []),
    { label: 'Integrations', to: paths.integrations, icon: Blocks },
    { label: 'Settings', to: paths.settings, icon: Settings },
    ...(isOwner ? [{ label: 'Instance', to: paths.instance, icon: ShieldCheck }] : []),
  ]
  const sections = listSettings({ workspace: { role, billing }, isInstanceOwner: isOwner })
    .flatMap(({ label: group, sections: all }) => all.map((section) => ({ ...section, icon: icons[group] })))
    .map(({ name, label, ...link }) => ({ ...link, label: name ?? label }))
    .filter(({ label }) => pages.every((page) => page.label !== label))
  return [
    ...toEntries(pages),
    ...toSettings([
      ...sections,
      { label: 'Alert rules', to: alertsPath('alerts'), icon: BellPlus },
      { label: 'Alert history', to: alertsPath('history'), icon: ScrollText },
      { label: 'Channels', to: alertsPath('channels'), icon: Send },
    ]),
  ]
}

const icons = { Account: Settings, Workspace: Building2, Instance: ShieldCheck } as const
