export const page = {
  home: 'ropescope, to the Explorer',
  rooms: 'Rooms',
  room: { explorer: 'Explorer', read: 'Read', models: 'Models', about: 'About' },
  language: 'Language',
  source: 'Source code and command line',
  /** What files without a folder's name are called. */
  yours: 'your model',
  skip: 'Skip to the content',
  roomBroken: 'This room could not be fetched. Check the connection, then try again.',
  privacy: 'ropescope runs in this browser: your texts and your models never leave this machine. MIT or Apache 2.0.',
  hubBroken: 'The code for models of the hub could not be fetched',
  unreadableDrop: {
    title: 'What was dropped could not be read',
    text: (why: string) =>
      `The browser said: “${why}”. A file among them may have been moved or deleted, or this browser may not read it. Try to open the folder by Models → Open your own.`,
  },
  unknownModel: {
    title: 'This link names another model',
    text: (asked: string, shown: string) =>
      `The link names the model “${asked}”, which this page does not bring along. It shows ${shown} instead: open the folder of the other one under Models.`,
  },
}
