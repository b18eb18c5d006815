import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { HardDrive } from 'lucide-react'
import { useState } from 'react'
import { toast } from 'sonner'
import { useDialog } from '../../lib/use-dialog.ts'
import { Button } from '../../ui/button.tsx'
import { Checkbox } from '../../ui/form/checkbox.tsx'
import { Dialog, DialogFooter } from '../../ui/dialog.tsx'
import { Field } from '../../ui/form/field.tsx'
import { Select } from '../../ui/form/select.tsx'
import type { Api } from '../../../contract/api.ts'
import type { Reply } from '../../../contract/endpoint.ts'
import { callApi } from '../../lib/http/call-api.ts'

const name = 'this-machine'

/** Offers to add the machine that Slipway runs on; renders nothing if that is not possible. */
export function ThisMachineOffer() {
  const { data } = useQuery(thisMachineQuery)
  const { open } = useDialog()
  if (!data?.offered || data.workspaces.length === 0) return null
  return (
    <Button onClick={() => open(name)}>
      <HardDrive aria-hidden />
      Use this machine
    </Button>
  )
}

/** Opens with `?dialog=this-machine`. `workspace` is the preselected one. */
export function ThisMachineDialog({ workspace }: { workspace: string }) {
  const { data } = useQuery(thisMachineQuery)
  const { dialog, close } = useDialog()
  if (dialog !== name || !data?.offered) return null
  return <Opened workspaces={data.workspaces} proposed={workspace} onClose={close} />
}

interface OpenedProps {
  workspaces: ThisMachine['workspaces']
  proposed: string
  onClose: () => void
}

function Opened({ workspaces, proposed, onClose }: OpenedProps) {
  const enable = useEnableThisMachine()
  const first = workspaces.find(({ id }) => id === proposed) ?? workspaces[0]
  const [chosen, setChosen] = useState(first?.id ?? '')
  const [understood, setUnderstood] = useState(false)
  const confirm = () =>
    enable.mutate(chosen, {
      onSuccess: () => {
        const to = workspaces.find(({ id }) => id === chosen)?.name ?? ''
        toast.success(`This machine added to ${to}`)
        onClose()
      },
    })
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title="Use this machine as a server?"
      description="Slipway runs on this machine. Root access to this machine is full control of Slipway: its database, its secret key, and with them the servers and secrets of all workspaces."
    >
      <ul className="flex list-disc flex-col gap-1 pl-5 text-sm text-muted">
        <li>Applications that are deployed here run beside Slipway and share its CPU, memory and disk.</li>
        <li>
          Only instance owners can open shells, run commands or grant host access on this machine, regardless
          of their workspace role.
        </li>
        <li>It never passes to another workspace. Deleting the workspace removes it.</li>
      </ul>
      <Field label="Workspace" help="One that you own.">
        <Select
          value={chosen}
          onValueChange={setChosen}
          options={workspaces.map(({ id, name: label }) => ({ value: id, label }))}
        />
      </Field>
      <Checkbox
        label="I trust the members of this workspace with this machine."
        checked={understood}
        onChange={(event) => setUnderstood(event.target.checked)}
      />
      <DialogFooter
        disabled={!understood || chosen === ''}
        pending={enable.isPending && 'Adding…'}
        onClick={confirm}
      >
        Use this machine
      </DialogFooter>
    </Dialog>
  )
}

export type ThisMachine = Reply<Api['GET /v1/instance/this-machine']>['this_machine']

export const thisMachineQuery = queryOptions({
  queryKey: ['instance', 'this-machine'],
  queryFn: async ({ signal }) =>
    (await callApi('GET /v1/instance/this-machine', undefined, signal)).this_machine,
  meta: { quiet: true },
})

function useEnableThisMachine() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (workspace_id: string) =>
      callApi('POST /v1/instance/this-machine', { body: { workspace_id } }),
    onSuccess: async ({ this_machine }) => {
      client.setQueryData(thisMachineQuery.queryKey, this_machine)
      await Promise.all(
        ['servers', 'home', 'instance'].map((key) => client.invalidateQueries({ queryKey: [key] })),
      )
    },
  })
}
