import { useQuery } from '@tanstack/react-query'
import { useDialog } from '../../lib/use-dialog.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { NewChannelForm } from './new-channel-form.tsx'
import { channelTypesQuery } from './queries.ts'
import { TypeList } from './type-list.tsx'

const dialogName = 'new-channel'

interface NewChannelDialogProps {
  /** Leads to it, in place of the dialog. */
  onMade: (id: string) => void
}

/** Open while the address says so: what kind of channel it is to be, and then its settings. */
export function NewChannelDialog({ onMade }: NewChannelDialogProps) {
  const { dialog, open, close } = useDialog()
  const { data } = useQuery(channelTypesQuery)
  if (dialog !== dialogName && !dialog.startsWith(`${dialogName}-`)) return null
  const asked = dialog.slice(dialogName.length + 1)
  const type = data?.types.find((one) => one.type === asked && one.available)
  return (
    <Dialog
      open
      wide
      holds={type !== undefined}
      onOpenChange={close}
      title={type ? `New channel: ${type.name}` : 'New channel'}
      description={type ? type.says : 'Where do you want to be told?'}
    >
      {type && data ? (
        <NewChannelForm
          key={type.type}
          type={type}
          groups={data.events}
          onBack={() => open(dialogName)}
          onMade={onMade}
        />
      ) : (
        <TypeList onPick={(picked) => open(`${dialogName}-${picked}`)} />
      )}
    </Dialog>
  )
}
