interface Application {
  id: string
  slug: string
}

/** Sets apart what belongs to an application; ids of others never end the same on one server with the same slug. */
export const applicationProjectName = ({ id, slug }: Application) => `${slug}-${id.slice(-6)}`

/** Where the relative paths of its compose file are, on the server. */
export const applicationFolderPath = (application: Application) =>
  `/var/lib/slipway/applications/${applicationProjectName(application)}`
