/** The browser comes from the system (see the set-up), so that installing packages needs no other download. */
module.exports = { skipDownload: true };
