// Chosen light or dark is set before anything is painted; the classic script in the head keeps the page from flashing.
(() => {
  const root = document.documentElement;
  root.classList.add("js");
  try {
    const theme = localStorage.getItem("chat.theme");
    if (theme === "light" || theme === "dark") root.dataset.theme = theme;
  } catch {
    // Without storage the system's choice stands.
  }
})();
