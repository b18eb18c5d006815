import { NewServerForm } from '../areas/servers/new-server-form.tsx'
import { ServerArrival } from '../areas/servers/server-arrival.tsx'
import { useParam } from '../lib/use-param.ts'
import { Button } from '../ui/button.tsx'

/** The server that was added stands in the address: after a reload one goes on where one was. */
export function ImportBySsh() {
  const [id, setId] = useParam('server')
  if (id === '') return <NewServerForm onDone={setId} />
  return (
    <>
      <ServerArrival key={id} id={id} />
      <div>
        <Button variant="ghost" onClick={() => setId('')}>
          Import another server
        </Button>
      </div>
    </>
  )
}
