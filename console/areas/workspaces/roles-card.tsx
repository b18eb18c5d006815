import { Check } from 'lucide-react'
import {
  type Role,
  roleAllows,
  permissions,
  roles,
  type Permission,
} from '../../../contract/shared/permissions.ts'
import { roleLabel } from '../../lib/role-labels.ts'
import { CollapsibleSection } from '../../ui/card.tsx'
import { classNames } from '../../ui/class-names.ts'

/** Lists the permissions of each role. Billing permissions are omitted if billing is off. */
export function RolesCard({ mine, billing }: { mine: Role; billing: boolean }) {
  const rights = Object.keys(permissions)
    .filter(isPermission)
    .filter((right) => billing || right !== 'billing.manage')
  return (
    <CollapsibleSection title="Role permissions" about={`Your role is ${mine}.`}>
      <table className="w-full text-sm" aria-label="Role permissions">
        <thead>
          <tr className="border-b border-line bg-subtle text-xs text-muted">
            <th scope="col" className="h-8 px-4 text-left font-medium max-sm:px-3">
              Permission
            </th>
            {roles.map((role) => (
              <th
                key={role}
                scope="col"
                className={classNames(
                  'w-24 px-2 text-center font-medium max-sm:w-12 max-sm:px-1',
                  role === mine && 'text-ink',
                )}
              >
                {roleLabel(role)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="divide-y divide-line">
          {rights.map((right) => (
            <tr key={right}>
              <th scope="row" className="px-4 py-2 text-left font-normal max-sm:px-3">
                {permissions[right].description}
              </th>
              {roles.map((role) => (
                <td key={role} className="px-2 text-center">
                  <Held yes={roleAllows(role, right)} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </CollapsibleSection>
  )
}

function Held({ yes }: { yes: boolean }) {
  return yes ? (
    <>
      <Check className="inline size-4 text-green-ink" aria-hidden />
      <span className="sr-only">Yes</span>
    </>
  ) : (
    <span className="text-muted">
      <span aria-hidden>–</span>
      <span className="sr-only">No</span>
    </span>
  )
}

const isPermission = (name: string): name is Permission => name in permissions
