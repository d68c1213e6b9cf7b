# Shared by ./run and ./test: finds Python, makes the environments, names what the system lacks.
# Sourced with $root set to the project's root. Progress goes to standard error.

say() { printf '%s\n' "$@" >&2; }

fail() {
    say "$@"
    exit 1
}

# --- Python ---------------------------------------------------------------------------------

python_is() { # python_is COMMAND MINIMUM BELOW: is its version at least 3.MINIMUM and below 3.BELOW?
    "$1" -c "import sys; sys.exit(not (3, $2) <= sys.version_info[:2] < (3, $3))" 2>/dev/null
}

find_python() { # find_python MINIMUM BELOW -> the first fitting Python on PATH; status 1 if none
    local command minor
    local candidates=(${PYTHON:+"$PYTHON"} python3)
    for ((minor = $2 - 1; minor >= $1; minor--)); do
        candidates+=("python3.$minor")
    done
    for command in "${candidates[@]}"; do
        if command -v "$command" >/dev/null && python_is "$command" "$1" "$2"; then
            command -v "$command"
            return 0
        fi
    done
    return 1
}

need_python() { # need_python MINIMUM BELOW WHO: as find_python, or ends with what to do
    find_python "$1" "$2" && return 0
    local have="no python3 is on the PATH"
    if command -v python3 >/dev/null; then
        have="python3 here is $(python3 -c 'import platform; print(platform.python_version())')"
    fi
    say "$3 needs Python 3.$1 up to 3.$(($2 - 1)), and $have."
    say "Install a fitting one beside it (on Ubuntu 22.04: sudo apt-get install python3.11 python3.11-venv)"
    say "and start this again, or name it: PYTHON=/path/to/python3.11 $0"
    return 1
}

venv_package() { # venv_package PYTHON -> the Debian package that lets it make environments, if one lacks
    "$1" -c 'import ensurepip, venv' 2>/dev/null && return 0
    "$1" -c 'import sys; print("python3.%d-venv" % sys.version_info[1])'
}

# --- Packages of the system -----------------------------------------------------------------

apt_line() { printf 'apt-get install --no-install-recommends %s' "$*"; }

apt_install() { # apt_install PACKAGE...: as root, or with sudo when it may ask or need not ask
    local as=()
    if [ "$(id -u)" != 0 ]; then
        as=(sudo)
        command -v sudo >/dev/null || return 1
        [ -t 0 ] || sudo -n true 2>/dev/null || return 1
    fi
    command -v apt-get >/dev/null || return 1
    say "Installing: $*"
    "${as[@]}" apt-get update -qq >&2 </dev/null || say "apt-get update failed; trying with what is known."
    "${as[@]}" env DEBIAN_FRONTEND=noninteractive \
        apt-get install -y -qq --no-install-recommends "$@" >&2 </dev/null
}

package_of() { # package_of SONAME -> its Debian or Ubuntu package; the soname itself if not known
    case $1 in
    libEGL.so.1) echo libegl1 ;;
    libGL.so.1 | libGLX.so.0) echo libgl1 ;;
    libX11.so.6) echo libx11-6 ;;
    libX11-xcb.so.1) echo libx11-xcb1 ;;
    libbrotli*.so.1) echo libbrotli1 ;;
    libdbus-1.so.3) echo libdbus-1-3 ;;
    libfontconfig.so.1) echo libfontconfig1 ;;
    libfreetype.so.6) echo libfreetype6 ;;
    libglib-2.0.so.0 | libgthread-2.0.so.0) echo libglib2.0-0 ;;
    libgssapi_krb5.so.2) echo libgssapi-krb5-2 ;;
    libstdc++.so.6) echo libstdc++6 ;;
    libwayland-client.so.0) echo libwayland-client0 ;;
    libwayland-cursor.so.0) echo libwayland-cursor0 ;;
    libwayland-egl.so.1) echo libwayland-egl1 ;;
    libxcb.so.1) echo libxcb1 ;;
    libxcb-cursor.so.0) echo libxcb-cursor0 ;;
    libxcb-icccm.so.4) echo libxcb-icccm4 ;;
    libxcb-image.so.0) echo libxcb-image0 ;;
    libxcb-keysyms.so.1) echo libxcb-keysyms1 ;;
    libxcb-randr.so.0) echo libxcb-randr0 ;;
    libxcb-render.so.0) echo libxcb-render0 ;;
    libxcb-render-util.so.0) echo libxcb-render-util0 ;;
    libxcb-shape.so.0) echo libxcb-shape0 ;;
    libxcb-shm.so.0) echo libxcb-shm0 ;;
    libxcb-sync.so.1) echo libxcb-sync1 ;;
    libxcb-util.so.1) echo libxcb-util1 ;;
    libxcb-xfixes.so.0) echo libxcb-xfixes0 ;;
    libxcb-xkb.so.1) echo libxcb-xkb1 ;;
    libxkbcommon.so.0) echo libxkbcommon0 ;;
    libxkbcommon-x11.so.0) echo libxkbcommon-x11-0 ;;
    libz.so.1) echo zlib1g ;;
    libzstd.so.1) echo libzstd1 ;;
    *) echo "$1" ;;
    esac
}

missing_libraries() { # missing_libraries FILE... -> sonames that the loader does not find for them
    ldd "$@" 2>/dev/null | awk '/not found/ { print $1 }' | grep -v '^libQt6' | sort -u
}

missing_for_qt() { # missing_for_qt -> packages without which no window opens on this screen
    command -v ldd >/dev/null || return 0
    local qt platforms soname
    qt=$(echo "$root"/.venv/lib/python3*/site-packages/PySide6)/Qt
    platforms=$qt/plugins/platforms
    local on_wayland=$platforms/libqwayland.so on_x11=$platforms/libqxcb.so needed
    case ${QT_QPA_PLATFORM:-} in
    "") needed=$on_x11 ;;
    xcb*) needed=$on_x11 ;;
    wayland*) needed=$on_wayland ;;
    *) needed=$qt/lib/libQt6Widgets.so.6 ;;
    esac
    if [ -z "${QT_QPA_PLATFORM:-}" ] && [ -n "${WAYLAND_DISPLAY:-}" ]; then
        [ -n "$(missing_libraries "$on_wayland")" ] || return 0
    fi
    for soname in $(missing_libraries "$needed"); do
        package_of "$soname"
    done | sort -u
}

# --- Environments ---------------------------------------------------------------------------

environment_key() { # environment_key NAME PINS: changes when NAME must be made anew
    # The root is part of it (an environment cannot be moved), and so is the Python behind it.
    printf '%s %s %s' "$root" "$(readlink -f "$root/$1/bin/python")" \
        "$(sha256sum <"$root/requirements/$2.txt")"
}

environment_is_ready() { # environment_is_ready NAME PINS
    [ -x "$root/$1/bin/python" ] && [ -f "$root/$1/made-from-$2" ] &&
        [ "$(<"$root/$1/made-from-$2")" = "$(environment_key "$1" "$2")" ]
}

mark_ready() { # mark_ready NAME PINS
    environment_key "$1" "$2" >"$root/$1/made-from-$2"
}

make_environment() { # make_environment NAME PINS PYTHON: anew, with exactly the pins and their hashes
    local place=$root/$1
    say "Making $1 with $("$3" --version) from requirements/$2.txt ..."
    rm -rf "$place"
    "$3" -m venv "$place" >&2 || return 1
    "$place/bin/python" -m pip --disable-pip-version-check --no-input install --quiet \
        --require-hashes --only-binary :all: -r "$root/requirements/$2.txt" >&2 </dev/null || return 1
}

add_root() { # add_root NAME: lets NAME's Python import the packages of this checkout from anywhere
    printf '%s\n' "$root" >"$(echo "$root/$1"/lib/python3*/site-packages)/memory-desk.pth"
}
