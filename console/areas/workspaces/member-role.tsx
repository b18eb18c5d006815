import { useState } from 'react'
import { toast } from 'sonner'
import type { Role } from '../../../contract/shared/permissions.ts'
import { readRole, roleLabel, roleOptions } from '../../lib/roles.ts'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { Select } from '../../ui/form/select.tsx'
import { type Member, useChangeRole } from './members.ts'

interface MemberRoleProps {
  member: Member
  self: boolean
  /** Role of the current user. */
  mine: Role
  changeable: boolean
}

export function MemberRole({ member, self, mine, changeable }: MemberRoleProps) {
  const change = useChangeRole()
  const [asked, setAsked] = useState<Role>()
  if (!changeable) return roleLabel(member.role)

  async function give(role: Role) {
    try {
      await change.mutateAsync({ id: member.id, role })
      toast.success(`${self ? 'You are' : `${member.name} is`} ${withArticle(role)} now.`)
    } finally {
      setAsked(undefined)
    }
  }

  function pick(value: string) {
    const role = readRole(value)
    if (!role || role === member.role) return
    // Users cannot raise their own role again.
    if (self) setAsked(role)
    else void give(role).catch(() => undefined)
  }

  return (
    <>
      <Select
        aria-label={`Role of ${member.name}`}
        value={change.isPending ? change.variables.role : member.role}
        disabled={change.isPending}
        onValueChange={pick}
        options={roleOptions(mine)}
        className="w-28! text-sm"
      />
      <ConfirmDialog
        open={asked !== undefined}
        onOpenChange={() => setAsked(undefined)}
        title="Lower your own role?"
        action="Change my role"
        pending={change.isPending && 'Changing…'}
        onConfirm={() => asked && void give(asked).catch(() => undefined)}
      >
        You will be {withArticle(asked ?? member.role)} and cannot undo this yourself. A member with your
        current role can.
      </ConfirmDialog>
    </>
  )
}

const withArticle = (role: Role) => `${/^[ao]/.test(role) ? 'an' : 'a'} ${role}`
