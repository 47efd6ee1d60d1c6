/** The labels of a form, by the fields that the service names. */
export type Labels = Readonly<Record<string, string>>

/** A message of the service in the words of the form: `to` becomes "Day and time". */
export const inLabels = (message: string, labels: Labels = {}): string =>
  message.replaceAll(/`([\w.[\]]+)`/g, (quoted, name: string) =>
    Object.hasOwn(labels, name) ? `"${labels[name]}"` : quoted,
  )
