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
        failed="The settings could not be loaded"
        text="Check the log of the Slipway process."
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
        description="The certificate authority that issues certificates for domains, over ACME."
        settings={settings}
        saved="Certificate authority saved"
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
        description="They protect your mail reputation and the limits of the certificate authority. Leave a field empty for its default."
        settings={settings}
        saved="Limits saved"
        fields={[
          {
            name: 'workspaces_per_user',
            kind: 'number',
            label: 'Workspaces per person',
            help: 'How many workspaces one person can own.',
          },
          {
            name: 'certificate_orders_per_workspace_per_hour',
            kind: 'number',
            label: 'Certificate orders per workspace and hour',
            help: 'Failed orders count too.',
          },
          {
            name: 'invites_per_user_per_day',
            kind: 'number',
            label: 'Invites per person and day',
            help: 'Resending an invite counts.',
          },
          {
            name: 'invites_per_instance_per_day',
            kind: 'number',
            label: 'Invites of all people per day',
            help: 'Resending an invite counts.',
          },
          {
            name: 'account_mails_per_instance_per_day',
            kind: 'number',
            label: 'Account mails per day',
            help: 'Of each kind that anyone can request: confirmations, password resets, sign-ups with a known address.',
          },
        ]}
      />
    </>
  )
}

const signups = [
  {
    value: 'invite',
    label: 'By invite',
    help: 'Only people who were invited to a workspace can create an account.',
  },
  {
    value: 'open',
    label: 'Open',
    help: 'Anyone who can reach the log-in page can create an account and a workspace.',
  },
] as const

function SignupCard({ settings: { signup } }: { settings: InstanceSettings }) {
  const change = useUpdateInstanceSettings()
  const choose = (value: 'open' | 'invite') =>
    change.mutate({ signup: value }, { onSuccess: () => toast.success('Sign-up mode saved') })
  return (
    <Card title="Sign-up" description={isFixed(signup) ? fixedHelp(signup) : undefined}>
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
    title="Outgoing mail"
    description="Sends invites, confirmations, password resets and e-mail alerts. Without a mail server, invites are links to copy."
    settings={settings}
    saved="Mail settings saved"
    footer={<TestMailButton configured={settings.smtp_url.value !== null} />}
    fields={[
      {
        name: 'smtp_url',
        label: 'SMTP URL',
        placeholder: 'smtps://user:password@mail.example.com',
        help: 'The password is stored encrypted and never shown. To change anything, enter the whole URL.',
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
              : 'Workspaces can add servers in 10.0.0.0/8, 172.16.0.0/12, 192.168.0.0/16 and other private ranges. Allowed by default while sign-up is by invite.'
          }
          checked={allowed.value}
          disabled={isFixed(allowed) || change.isPending}
          onCheckedChange={(value) =>
            change.mutate(
              { private_servers: value },
              {
                onSuccess: () =>
                  toast.success(value ? 'Private addresses allowed' : 'Private addresses refused'),
              },
            )
          }
        />
      </Card>
      <SettingsForm
        title="Allowed ranges"
        description="Slipway refuses to connect to loopback, link-local and metadata addresses, and calls webhooks and registries at public addresses only. Ranges listed here are exempt."
        settings={settings}
        saved="Allowed ranges saved"
        fields={[
          {
            name: 'allowed_networks',
            kind: 'lines',
            label: 'Ranges',
            placeholder: '10.20.0.0/16',
            help: 'One per line, in CIDR notation. Everyone with an account can make Slipway connect to these addresses, so list no more than you need.',
          },
        ]}
      />
    </>
  )
}

function TestMailButton({ configured }: { configured: boolean }) {
  const test = useTestMail()
  if (!configured) return 'No mail server is set.'
  return (
    <Button
      pending={test.isPending && 'Sending…'}
      onClick={() =>
        test.mutate(undefined, { onSuccess: ({ to }) => toast.success(`Test mail sent to ${to}`) })
      }
    >
      Send test mail
    </Button>
  )
}
