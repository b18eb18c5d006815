import { toast } from 'sonner'
import { Card } from '../../ui/card.tsx'
import { Field } from '../../ui/form/field.tsx'
import { Input } from '../../ui/form/input.tsx'
import { useUpdateWorkspace, useWorkspace, type Workspace } from './queries.ts'
import { shellAccesses } from '../../../contract/shared/permissions.ts'
import { Select } from '../../ui/form/select.tsx'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { membersQuery, useDeleteWorkspace, useLeaveWorkspace } from './members.ts'
import { isOnlyOwner } from './can-manage-member.ts'
import { useNavigate } from 'react-router'
import { paths } from '../../paths.ts'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { FormCard } from '../../lib/form/form-card.tsx'

export function RenameWorkspaceCard() {
  const { name } = useWorkspace()
  const rename = useUpdateWorkspace()
  return (
    <FormCard
      title="Name"
      description="Visible to all workspace members."
      fields={{ name: 'required' }}
      saved={{ name }}
      save={async (values) => {
        await rename.mutateAsync(values)
        return undefined
      }}
    >
      {({ typed, errors }) => (
        <Field label="Workspace name" error={errors['name']}>
          <Input name="name" defaultValue={typed.name} autoComplete="off" />
        </Field>
      )}
    </FormCard>
  )
}

const options = [
  { value: 'members', label: 'Members', help: 'Members, admins and owners.' },
  { value: 'admins', label: 'Admins only', help: 'Admins and owners.' },
]

export function ShellAccessCard() {
  const { shell_access: current } = useWorkspace()
  const update = useUpdateWorkspace()
  const change = (value: string) => {
    const shell_access = shellAccesses.find((access) => access === value)
    if (shell_access && shell_access !== current)
      update.mutate({ shell_access }, { onSuccess: () => toast.success('Shell access updated') })
  }
  return (
    <Card
      title="Shell access to containers"
      description="Who can open terminals and run commands in containers. Host access always requires an admin or owner."
    >
      <Field label="Shell access">
        <Select value={current} onValueChange={change} disabled={update.isPending} options={options} />
      </Field>
    </Card>
  )
}

export function LeaveWorkspaceCard({ me }: { me: string }) {
  const { data: members = [] } = useInfiniteQuery(membersQuery)
  const [asked, setAsked] = useState(false)
  const member = members.find(({ user_id: user }) => user === me)
  const stuck = member && isOnlyOwner(member, members)
  return (
    <Card
      title="Leave workspace"
      footer={
        <>
          {stuck ? 'You are the only owner.' : 'Your other workspaces are not affected.'}
          <Button disabled={!member || stuck} onClick={() => setAsked(true)}>
            Leave workspace
          </Button>
        </>
      }
    >
      <p className="text-muted">
        {stuck
          ? 'A workspace needs an owner. Make another member an owner first, or delete the workspace.'
          : 'You lose access immediately and need a new invite to return.'}
      </p>
      {asked && member && <LeaveWorkspaceDialog memberId={member.id} onClose={() => setAsked(false)} />}
    </Card>
  )
}

export function LeaveWorkspaceDialog({ memberId, onClose }: { memberId: string; onClose: () => void }) {
  const { name } = useWorkspace()
  const navigate = useNavigate()
  const leave = useLeaveWorkspace(() => {
    toast.success(`You left ${name}`)
    void navigate(paths.home)
  })
  return (
    <ConfirmDialog
      open
      onOpenChange={onClose}
      title={`Leave ${name}?`}
      action="Leave workspace"
      pending={leave.isPending && 'Leaving…'}
      onConfirm={() => leave.mutate(memberId)}
    >
      You lose access to {name} immediately, and your API tokens for it stop working. You need a new invite to
      return.
    </ConfirmDialog>
  )
}

export function DeleteWorkspaceCard() {
  const workspace = useWorkspace()
  const { name } = workspace
  const [asked, setAsked] = useState(false)
  const navigate = useNavigate()
  const remove = useDeleteWorkspace(() => {
    toast.success('Workspace deleted')
    void navigate(paths.home)
  })
  return (
    <>
      <Card
        title="Delete workspace"
        footer={
          <>
            You must type the name to confirm.
            <Button variant="danger" onClick={() => setAsked(true)}>
              Delete workspace
            </Button>
          </>
        }
      >
        <p className="text-muted">
          Deletes everything in the workspace for all members, including the audit log. This cannot be undone.
        </p>
      </Card>
      <ConfirmDialog
        open={asked}
        onOpenChange={setAsked}
        title={`Delete ${name}?`}
        action="Delete workspace"
        typeName={name}
        pending={remove.isPending && 'Deleting…'}
        onConfirm={() => remove.mutate(name)}
      >
        Everything in {name} is deleted for all members: projects, servers, applications, members, invites,
        API tokens and the audit log. {isPaidFor(workspace) && ends} This cannot be undone.
      </ConfirmDialog>
    </>
  )
}

const ends = 'The subscription ends immediately. The rest of the paid period is not refunded.'

const over: readonly string[] = ['canceled', 'incomplete_expired']

const isPaidFor = ({ billing, subscription }: Pick<Workspace, 'billing' | 'subscription'>) =>
  billing && subscription !== null && !over.includes(subscription.stripe_status)
