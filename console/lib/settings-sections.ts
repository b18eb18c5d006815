import { type Role, roleAllows } from '../../contract/shared/permissions.ts'
import {
  cloudTokensPath,
  deliveriesPath,
  domainsPath,
  instancePath,
  paths,
  registriesPath,
} from '../paths.ts'

export interface SettingsSection {
  label: string
  to: string
  name?: string
}

export interface SettingsGroup {
  label: 'Account' | 'Workspace' | 'Instance'
  sections: readonly SettingsSection[]
}

interface SettingsViewer {
  /** Current workspace; undefined if there is none or it is locked. */
  workspace: { role: Role; billing: boolean } | undefined
  isInstanceOwner: boolean
}

export function listSettings({ workspace, isInstanceOwner }: SettingsViewer): SettingsGroup[] {
  return [
    { label: 'Account', sections: accountSections(workspace !== undefined) },
    ...(workspace ? [{ label: 'Workspace' as const, sections: workspaceSections(workspace) }] : []),
    ...(isInstanceOwner ? [{ label: 'Instance' as const, sections: instanceSections }] : []),
  ]
}

/** Returns the section of a page with its group. The longest matching path wins. */
export const findSection = (groups: readonly SettingsGroup[], pathname: string) =>
  groups
    .flatMap(({ label, sections }) =>
      sections.map((section) => ({ group: { label, to: sections[0]?.to ?? section.to }, section })),
    )
    .filter(({ section: { to } }) => pathname === to || pathname.startsWith(`${to}/`))
    .toSorted((a, b) => b.section.to.length - a.section.to.length)[0]

const accountSections = (inWorkspace: boolean): SettingsSection[] => [
  { label: 'Profile', to: paths.settings },
  {
    label: 'Security',
    to: `${paths.settings}/security`,
    name: 'Password, two-factor authentication and sessions',
  },
  { label: 'Security activity', to: `${paths.settings}/activity` },
  ...(inWorkspace ? [{ label: 'API tokens', to: `${paths.settings}/api-tokens` }] : []),
  { label: 'Appearance', to: `${paths.settings}/appearance` },
]

function workspaceSections({ role, billing }: { role: Role; billing: boolean }): SettingsSection[] {
  const allows = (right: Parameters<typeof roleAllows>[1]) => roleAllows(role, right)
  return [
    { label: 'General', to: `${paths.workspace}/settings`, name: 'Workspace settings' },
    { label: 'Members', to: paths.workspace },
    ...(allows('members.manage') ? [{ label: 'Invites', to: `${paths.workspace}/invites` }] : []),
    ...(allows('cloud-tokens.manage') ? [{ label: 'Cloud tokens', to: cloudTokensPath }] : []),
    { label: 'Domains', to: domainsPath, name: 'Domains and certificates' },
    { label: 'Registries', to: registriesPath },
    { label: 'Integrations', to: paths.integrations },
    { label: 'Deliveries', to: deliveriesPath() },
    ...(allows('api-tokens.oversee')
      ? [{ label: 'Member tokens', to: `${paths.workspace}/api-tokens` }]
      : []),
    ...(allows('audit.read') ? [{ label: 'Audit log', to: `${paths.workspace}/audit` }] : []),
    ...(billing ? [{ label: 'Billing', to: paths.billing }] : []),
  ]
}

const instanceSections: SettingsSection[] = [
  { label: 'Overview', to: paths.instance, name: 'Instance' },
  { label: 'Users', to: instancePath('people'), name: 'Instance users' },
  { label: 'Workspaces', to: instancePath('workspaces'), name: 'Instance workspaces' },
  { label: 'Host names', to: instancePath('host-names') },
  { label: 'General', to: instancePath('settings'), name: 'Instance settings' },
  { label: 'Audit log', to: instancePath('audit'), name: 'Instance audit log' },
]
