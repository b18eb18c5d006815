import {
  BellPlus,
  Blocks,
  Building2,
  Cloud,
  CreditCard,
  Globe,
  KeyRound,
  LayoutTemplate,
  ScrollText,
  Send,
  Settings,
  ShieldCheck,
  SunMoon,
  Users,
} from 'lucide-react'
import { roleAllows } from '../../contract/shared/permissions.ts'
import { useUser } from '../areas/user/queries.ts'
import { useWorkspace } from '../areas/workspaces/queries.ts'
import { alertsPath, cloudTokensPath, deliveriesPath, instancePath, paths } from '../paths.ts'
import { useDestinations } from './navigation.ts'
import { type Link, type PaletteEntry, useLinks } from './palette-entry.ts'

/** Pages, and the settings found by typing. */
export function usePages(): PaletteEntry[] {
  const { destinations, locked } = useDestinations()
  const { instance_owner: isOwner } = useUser()
  const { billing, role } = useWorkspace()
  const toEntries = useLinks('Pages', true)
  const toSettings = useLinks('Settings', false)
  const main = destinations.map(({ key, ...link }) => ({ ...link, shortcut: key }))
  if (locked) return toEntries(main)
  return [
    ...toEntries([
      ...main,
      { label: 'Templates', to: paths.templates, icon: LayoutTemplate },
      { label: 'Workspace', to: paths.workspace, icon: Building2 },
      ...(billing ? [{ label: 'Billing', to: paths.billing, icon: CreditCard }] : []),
      { label: 'Integrations', to: paths.integrations, icon: Blocks },
      { label: 'Settings', to: paths.settings, icon: Settings },
      ...(isOwner ? [{ label: 'Instance', to: paths.instance, icon: ShieldCheck }] : []),
    ]),
    ...toSettings([
      {
        label: 'Password, two-factor authentication and sessions',
        to: `${paths.settings}/security`,
        icon: ShieldCheck,
      },
      { label: 'Security activity', to: `${paths.settings}/activity`, icon: ScrollText },
      { label: 'Appearance', to: `${paths.settings}/appearance`, icon: SunMoon },
      { label: 'API tokens', to: `${paths.settings}/api-tokens`, icon: KeyRound },
      { label: 'Cloud tokens', to: cloudTokensPath, icon: Cloud },
      { label: 'Members', to: paths.workspace, icon: Users },
      ...(roleAllows(role, 'members.manage')
        ? [{ label: 'Invites', to: `${paths.workspace}/invites`, icon: Users }]
        : []),
      ...(roleAllows(role, 'audit.read')
        ? [{ label: 'Audit log', to: `${paths.workspace}/audit`, icon: ScrollText }]
        : []),
      { label: 'Workspace settings', to: `${paths.workspace}/settings`, icon: Building2 },
      { label: 'Alert rules', to: alertsPath('alerts'), icon: BellPlus },
      { label: 'Alert history', to: alertsPath('history'), icon: ScrollText },
      { label: 'Channels', to: alertsPath('channels'), icon: Send },
      { label: 'Deliveries', to: deliveriesPath(), icon: Blocks },
      ...(isOwner ? instancePages : []),
    ]),
  ]
}

const instancePages: readonly Link[] = [
  { label: 'Instance users', to: instancePath('people'), icon: Users },
  { label: 'Instance workspaces', to: instancePath('workspaces'), icon: Building2 },
  { label: 'Host names', to: instancePath('host-names'), icon: Globe },
  { label: 'Instance settings', to: instancePath('settings'), icon: ShieldCheck },
  { label: 'Instance audit log', to: instancePath('audit'), icon: ScrollText },
]
