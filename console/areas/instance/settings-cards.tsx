import { useQuery } from '@tanstack/react-query'
import { toast } from 'sonner'
import { Radio, Switch } from '../../ui/form/checkbox.tsx'
import { Card } from '../../ui/card.tsx'
import { QueryFallback } from '../../lib/query-fallback.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import {
  type InstanceSettings,
  instanceSettingsQuery,
  useUpdateInstanceSettings,
  useTestMail,
} from './queries.ts'
import { fixedHelp, isFixed, SettingsForm } from './settings-form.tsx'
import { Button } from '../../ui/button.tsx'

export function InstanceSettingsCards() {
  const query = useQuery(instanceSettingsQuery)
  const { data: settings } = query
  if (!settings)
    return (
      <QueryFallback
        query={query}
        failed="Could not load settings"
        card
        skeleton={<Skeleton className="h-64 w-full" />}
      />
    )
  return (
    <>
      <SignupCard settings={settings} />
      <MailCard settings={settings} />
      <NetworkCard settings={settings} />
      <SettingsForm
        title="Certificates"
        description="ACME certificate authority that issues certificates for domains."
        settings={settings}
        fields={[
          {
            name: 'acme_url',
            label: 'ACME directory URL',
            help: 'Used for new orders and renewals. Leave empty for Let’s Encrypt.',
          },
        ]}
      />
      <SettingsForm
        title="Limits"
        description="Leave a field empty to use the default."
        settings={settings}
        fields={[
          {
            name: 'workspaces_per_user',
            kind: 'number',
            label: 'Workspaces per user',
            help: 'Maximum number of workspaces that a user can own.',
          },
          {
            name: 'certificate_orders_per_workspace_per_hour',
            kind: 'number',
            label: 'Certificate orders per workspace per hour',
            help: 'Includes failed orders.',
          },
          {
            name: 'invites_per_user_per_day',
            kind: 'number',
            label: 'Invites per user per day',
            help: 'Includes resent invites.',
          },
          {
            name: 'invites_per_instance_per_day',
            kind: 'number',
            label: 'Invites by all users per day',
            help: 'Includes resent invites.',
          },
          {
            name: 'account_mails_per_instance_per_day',
            kind: 'number',
            label: 'Account emails per day',
            help: 'Counted separately for each type of email.',
          },
        ]}
      />
    </>
  )
}

const signups = [
  {
    value: 'invite',
    label: 'Invite only',
    help: 'Users need an invite to a workspace to create an account.',
  },
  {
    value: 'open',
    label: 'Open',
    help: 'Anyone who can open the login page can create an account and a workspace.',
  },
] as const

function SignupCard({ settings: { signup } }: { settings: InstanceSettings }) {
  const change = useUpdateInstanceSettings()
  const choose = (value: 'open' | 'invite') =>
    change.mutate({ signup: value }, { onSuccess: () => toast.success('Signup settings saved') })
  return (
    <Card title="Signup" description={isFixed(signup) ? fixedHelp(signup) : undefined}>
      <fieldset className="flex flex-col gap-3">
        <legend className="sr-only">Who can create an account</legend>
        {signups.map(({ value, label, help }) => (
          <Radio
            key={value}
            name="signup"
            label={label}
            help={help}
            checked={signup.value === value}
            disabled={isFixed(signup) || change.isPending}
            onChange={() => choose(value)}
          />
        ))}
      </fieldset>
    </Card>
  )
}

const MailCard = ({ settings }: { settings: InstanceSettings }) => (
  <SettingsForm
    title="Outgoing email"
    description="SMTP server for invites, confirmations, password resets and alerts."
    settings={settings}
    action={settings.smtp_url.value !== null && <TestMailButton />}
    fields={[
      {
        name: 'smtp_url',
        label: 'SMTP URL',
        placeholder: 'smtps://user:password@mail.example.com',
        help: 'Stored encrypted. To change the URL, enter it in full.',
      },
      {
        name: 'mail_from',
        label: 'From',
        placeholder: 'Slipway <slipway@example.com>',
        help: 'Sender of all emails from this instance.',
      },
    ]}
  />
)

function NetworkCard({ settings }: { settings: InstanceSettings }) {
  const { private_servers: allowed } = settings
  const change = useUpdateInstanceSettings()
  return (
    <>
      <Card title="Private networks">
        <Switch
          label="Allow servers at private addresses"
          help={
            isFixed(allowed)
              ? fixedHelp(allowed)
              : 'Workspaces can add servers in ranges such as 10.0.0.0/8. On by default if signup requires an invite.'
          }
          checked={allowed.value}
          disabled={isFixed(allowed) || change.isPending}
          onCheckedChange={(value) =>
            change.mutate(
              { private_servers: value },
              {
                onSuccess: () =>
                  toast.success(value ? 'Private addresses allowed' : 'Private addresses blocked'),
              },
            )
          }
        />
      </Card>
      <SettingsForm
        title="Allowed ranges"
        description="Allows connections to internal addresses that are blocked by default."
        settings={settings}
        fields={[
          {
            name: 'allowed_networks',
            kind: 'lines',
            label: 'Ranges',
            placeholder: '10.20.0.0/16',
            help: 'CIDR notation, one per line. Every user can make Slipway connect to these addresses.',
          },
        ]}
      />
    </>
  )
}

function TestMailButton() {
  const test = useTestMail()
  return (
    <Button
      pending={test.isPending && 'Sending…'}
      onClick={() =>
        test.mutate(undefined, { onSuccess: ({ to }) => toast.success(`Test email sent to ${to}`) })
      }
    >
      Send test email
    </Button>
  )
}
