import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { HardDrive } from 'lucide-react'
import { type ComponentProps, useState } from 'react'
import { toast } from 'sonner'
import { useNavigate } from 'react-router'
import { SetupChanges } from '../../lib/setup-changes.tsx'
import { useDialog } from '../../lib/use-dialog.ts'
import { serverPath } from '../../paths.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogFooter } from '../../ui/dialog.tsx'
import { Field } from '../../ui/form/field.tsx'
import { Select } from '../../ui/form/select.tsx'
import type { Api } from '../../../contract/api.ts'
import type { Reply } from '../../../contract/endpoint.ts'
import { callApi } from '../../lib/http/call-api.ts'

const name = 'this-machine'

/** Offers to add the machine that Slipway runs on as a server. Renders nothing if that is not possible. */
export function ThisMachineOffer({ variant = 'secondary' }: Pick<ComponentProps<typeof Button>, 'variant'>) {
  const { data } = useQuery(thisMachineQuery)
  const { open } = useDialog()
  if (!data?.offered || data.workspaces.length === 0) return null
  return (
    <Button variant={variant} onClick={() => open(name)}>
      <HardDrive aria-hidden />
      Use this machine
    </Button>
  )
}

interface ThisMachineDialogProps {
  workspace: string
  /** Called with the new server; by default, its page opens and shows the setup. */
  onAdded?: (serverId: string) => void
}

/** Dialog for `?dialog=this-machine`. `workspace` is preselected. */
export function ThisMachineDialog({ workspace, onAdded }: ThisMachineDialogProps) {
  const { data } = useQuery(thisMachineQuery)
  const { dialog, close } = useDialog()
  const navigate = useNavigate()
  if (dialog !== name || !data?.offered) return null
  const leave = (id: string) => {
    if (onAdded) {
      close()
      onAdded(id)
    } else void navigate(serverPath(id), { replace: true })
  }
  return <Opened workspaces={data.workspaces} proposed={workspace} onClose={close} onAdded={leave} />
}

interface OpenedProps {
  workspaces: ThisMachine['workspaces']
  proposed: string
  onClose: () => void
  onAdded: (serverId: string) => void
}

function Opened({ workspaces, proposed, onClose, onAdded }: OpenedProps) {
  const first = workspaces.find(({ id }) => id === proposed) ?? workspaces[0]
  const [chosen, setChosen] = useState(first?.id ?? '')
  const to = workspaces.find(({ id }) => id === chosen)?.name ?? ''
  const enable = useEnableThisMachine((serverId) => {
    toast.success(`This machine added to ${to}`)
    onAdded(serverId)
  })
  return (
    <Dialog
      open
      wide
      onOpenChange={onClose}
      title="Use this machine as a server?"
      description="Slipway runs on this machine. Root access to this machine gives full control of Slipway, including its database, its secret key, and the servers and secrets of all workspaces."
    >
      <ul className="flex list-disc flex-col gap-1 pl-5 text-sm text-muted">
        <li>Applications on this machine share its CPU, memory and disk with Slipway.</li>
        <li>
          Only instance owners can open shells, run commands or grant host access on this machine, regardless
          of their workspace role.
        </li>
        <li>
          This machine cannot move to another workspace. Deleting the workspace removes this machine as a
          server.
        </li>
      </ul>
      {workspaces.length > 1 && (
        <Field label="Workspace" help="A workspace that you own.">
          <Select
            value={chosen}
            onValueChange={setChosen}
            options={workspaces.map(({ id, name: label }) => ({ value: id, label }))}
          />
        </Field>
      )}
      <SetupChanges local />
      <p className="text-sm">Add this machine only if you trust the members of {to} with it.</p>
      <DialogFooter
        disabled={chosen === ''}
        pending={enable.isPending && 'Starting…'}
        onClick={() => enable.mutate(chosen)}
      >
        Set up this machine
      </DialogFooter>
    </Dialog>
  )
}

export type ThisMachine = Reply<Api['GET /v1/instance/this-machine']>['this_machine']

export const thisMachineQuery = queryOptions({
  queryKey: ['instance', 'this-machine'],
  queryFn: async ({ signal }) =>
    (await callApi('GET /v1/instance/this-machine', undefined, signal)).this_machine,
})

/**
 * Adds the machine. `onAdded` is called even if the dialog has closed, because the machine is then no longer offered.
 */
function useEnableThisMachine(onAdded: (serverId: string) => void) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (workspace_id: string) =>
      callApi('POST /v1/instance/this-machine', { body: { workspace_id } }),
    onSuccess: async ({ this_machine }) => {
      client.setQueryData(thisMachineQuery.queryKey, this_machine)
      if (this_machine.server) onAdded(this_machine.server.id)
      await Promise.all(
        ['servers', 'home', 'instance'].map((key) => client.invalidateQueries({ queryKey: [key] })),
      )
    },
  })
}
