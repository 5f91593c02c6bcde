/** Of the package: package/build.js puts it in. */
declare const VERSION: string
